/* SPDX-License-Identifier: Apache-2.0 */
/* nnrt_detection.h - what a detector's maps become on the CPU: boxes, on any board and after any device.   >>detection

   What it does   softmax along any axis, top-N, non-maximum suppression; the regions of a region proposal network, the
                  end of Faster R-CNN, PVANET and R-FCN; SSD; YOLO v1 to v3, v5 to v12, X, these as integers, too. Maps
                  are read where they lie: planes, interleaved channels, rows with bytes behind them
   Turn it on     #define NNRT_DETECTION before nnrt.h, everywhere: the functions are declared where it is defined. On
                  with NNRT_BACKEND_NNIE, whose models leave these layers to the CPU.
   Needs          <math.h>. No heap, no device, no threads, no operating system
   Trust          shapes, options and what the maps hold may be anything; pointers may not
   Guide          docs/detection.md: which function for which network

   Rooms   detection/api.h       >>detection_api       types and functions
           detection/view.h      >>detection_view      views, scratch
           detection/rank.h      >>detection_rank      the best of many
           detection/softmax.h   >>detection_softmax
           detection/boxes.h     >>detection_boxes     overlap, suppression
           detection/proposal.h  >>detection_proposal  anchors, regions, regions for an engine
           detection/classes.h   >>detection_classes   class by class
           detection/rcnn.h      >>detection_rcnn      Faster R-CNN, PVANET, R-FCN
           detection/ssd.h       >>detection_ssd       prior boxes, SSD
           detection/yolo.h      >>detection_yolo      YOLO v1, v2, v3
           detection/heads_api.h >>detection_heads_api types and functions of later ones
           detection/map.h       >>detection_map       maps of any type; map_neon.h
           detection/heads.h     >>detection_heads     YOLO v5 to v12, YOLOX */
#ifndef NNRT_DETECTION_H
#define NNRT_DETECTION_H

#include "detection/view.h"
#include "detection/rank.h"
#include "detection/softmax.h"
#include "detection/boxes.h"
#include "detection/proposal.h"
#include "detection/classes.h"
#include "detection/rcnn.h"
#include "detection/ssd.h"
#include "detection/yolo.h"
#include "detection/map.h"
#include "detection/heads.h"

#endif /* NNRT_DETECTION_H */
